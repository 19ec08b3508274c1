"""Values sealed at rest: AES-256-GCM over JSON columns and checkpoints, one key per installation."""

import base64
import binascii
import json
import os
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

from surefoot.errors import SettingsInvalid, StorageUnavailable

NONCE_BYTES = 12
CIPHER = "surefoot-aesgcm"
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Sealer:
    """Seals and opens bytes. Also LangGraph's ``CipherProtocol`` for checkpoints."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, plain: bytes) -> bytes:
        """Return nonce and ciphertext."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, None)

    def open(self, sealed: bytes) -> bytes:
        """Return what was sealed. Raises StorageUnavailable when the key is another one or the data was changed."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], None)
        except InvalidTag as error:
            raise StorageUnavailable("sealed data cannot be opened: another key, or the data was changed") from error

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        """Return the cipher's name and the sealed bytes."""
        return CIPHER, self.seal(plaintext)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        """Return the plain bytes. Raises StorageUnavailable for another cipher or key."""
        if ciphername != CIPHER:
            raise StorageUnavailable(f"a checkpoint is sealed with {ciphername!r}, this program knows {CIPHER!r}")
        return self.open(ciphertext)


class SealedJSON(TypeDecorator[Any]):
    """A JSON column that is sealed at rest. The engine's dialect carries the sealer (see ``seal_with``)."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Seal on the way in."""
        if value is None:
            return None
        plain = _ENCODE(value).encode()
        sealer: Sealer = dialect.surefoot_sealer  # type: ignore[attr-defined]
        return base64.b64encode(sealer.seal(plain)).decode("ascii")

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Open on the way out."""
        if value is None:
            return None
        sealer: Sealer = dialect.surefoot_sealer  # type: ignore[attr-defined]
        return json.loads(sealer.open(base64.b64decode(value)))


def seal_with(dialect: Dialect, sealer: Sealer) -> None:
    """Give the engine's dialect its sealer: the only thing that SQLAlchemy hands to a column type."""
    dialect.surefoot_sealer = sealer  # type: ignore[attr-defined]


def read_key(text: str) -> bytes:
    """Return a key of 32 bytes from base64. Raises SettingsInvalid."""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise SettingsInvalid("SUREFOOT_ENCRYPTION_KEY is not base64") from error
    if len(key) != 32:
        raise SettingsInvalid(f"SUREFOOT_ENCRYPTION_KEY holds {len(key)} bytes; 32 are needed")
    return key


def key_beside(database: Path) -> bytes:
    """Return the key kept beside an embedded database, made on first use with mode 0600.

    Raises:
        StorageUnavailable: the key file cannot be read or made, or others may read it.
    """
    path = database.with_suffix(".key")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            fresh = os.open(path.with_suffix(f".key.{os.getpid()}"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fresh, "wb") as file:
                file.write(base64.b64encode(AESGCM.generate_key(256)))
            # A link is made only if nobody else made the key first; then theirs is the key.
            os.link(path.with_suffix(f".key.{os.getpid()}"), path)
        except FileExistsError:
            pass
        finally:
            path.with_suffix(f".key.{os.getpid()}").unlink(missing_ok=True)
        if path.stat().st_mode & 0o077:
            raise StorageUnavailable(f"{path.name} can be read by others; make it yours alone: chmod 600 {path.name}")
        return base64.b64decode(path.read_bytes())
    except OSError as error:
        raise StorageUnavailable(f"the key file {path.name} cannot be used: {error.strerror}") from error
