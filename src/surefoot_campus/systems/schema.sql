-- A campus in one SQLite file. Times are seconds since 1970; intervals are half-open.
PRAGMA user_version = 2;

CREATE TABLE profile (key TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE person (user_id TEXT PRIMARY KEY, role TEXT NOT NULL, may_book INTEGER NOT NULL);

CREATE TABLE lesson (
    user_id TEXT,                 -- whose timetable; NULL: occupies the room only
    course TEXT NOT NULL,
    weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
    periods TEXT NOT NULL,        -- JSON list of period numbers
    weeks TEXT,                   -- JSON list of week numbers; NULL: unknown, counts as busy every week
    building TEXT NOT NULL,
    room_id TEXT NOT NULL
);

CREATE TABLE room (room_id TEXT PRIMARY KEY, record TEXT NOT NULL);

CREATE TABLE head_count (
    canteen_id TEXT PRIMARY KEY,
    level REAL NOT NULL CHECK (level BETWEEN 0 AND 1),
    at INTEGER NOT NULL           -- when it was counted
);

CREATE TABLE booking (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    room_id TEXT NOT NULL REFERENCES room (room_id),
    user_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL CHECK ("end" > start),
    party_size INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    request_key TEXT UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled'))
);

CREATE INDEX booking_of_room ON booking (room_id, start);

-- The room is guarded here, where every client must pass, not in a check before the insert.
CREATE TRIGGER one_party_at_a_time BEFORE INSERT ON booking
WHEN EXISTS (
    SELECT 1 FROM booking
    WHERE room_id = NEW.room_id AND status = 'booked' AND start < NEW."end" AND NEW.start < "end"
)
BEGIN
    SELECT RAISE(ABORT, 'room_conflict');
END;
