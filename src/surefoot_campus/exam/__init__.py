"""The campus application's exam: requests and dialogues that others wrote, read and graded."""
