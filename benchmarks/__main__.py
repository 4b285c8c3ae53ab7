"""`python -m benchmarks`. It imports nothing by itself: the processes of a replay load this file before their work."""

if __name__ == "__main__":
    from benchmarks.command import main

    main()
