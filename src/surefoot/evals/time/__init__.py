"""The exam of time expressions: Recognizers-Text's own specifications (Microsoft, MIT), Chinese and English."""
