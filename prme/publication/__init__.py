"""Publication: plan, claims, intervals, evidence, decisions and journal entry of one message, or nothing."""
