"""Records: what a store can be written out as, read from anywhere, checked, and kept until their owner's turn."""
