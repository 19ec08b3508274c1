"""The campus application: one's timetable, study rooms, bookings, canteens; Chinese first, English too."""
