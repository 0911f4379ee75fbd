"""The few calls of libsndfile that the golden files and the cross-checks need, through ctypes."""

import array
import ctypes
import ctypes.util

lib = ctypes.CDLL(ctypes.util.find_library("sndfile") or "libsndfile.so.1")

SFM_READ, SFM_WRITE = 0x10, 0x20
CONTAINERS = {"wav": 0x010000, "wavex": 0x130000, "rf64": 0x220000}
ENCODINGS = {
    "s16": 0x02, "s24": 0x03, "s32": 0x04, "u8": 0x05,
    "f32": 0x06, "f64": 0x07, "ulaw": 0x10, "alaw": 0x11,
}
STRINGS = {"title": 1, "copyright": 2, "software": 3, "artist": 4, "comment": 5, "date": 6, "album": 7}


class Info(ctypes.Structure):
    _fields_ = [
        ("frames", ctypes.c_int64), ("samplerate", ctypes.c_int), ("channels", ctypes.c_int),
        ("format", ctypes.c_int), ("sections", ctypes.c_int), ("seekable", ctypes.c_int),
    ]


lib.sf_open.restype = ctypes.c_void_p
lib.sf_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(Info)]
lib.sf_close.argtypes = [ctypes.c_void_p]
lib.sf_readf_float.restype = ctypes.c_int64
lib.sf_readf_float.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
lib.sf_writef_double.restype = ctypes.c_int64
lib.sf_writef_double.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
lib.sf_set_string.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p]
lib.sf_get_string.restype = ctypes.c_char_p
lib.sf_get_string.argtypes = [ctypes.c_void_p, ctypes.c_int]
lib.sf_strerror.restype = ctypes.c_char_p
lib.sf_strerror.argtypes = [ctypes.c_void_p]
lib.sf_command.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
SFC_RF64_AUTO_DOWNGRADE = 0x1210


def write(path, samples, rate, channels, container, encoding, strings={}):
    info = Info(samplerate=rate, channels=channels, format=CONTAINERS[container] | ENCODINGS[encoding])
    file = lib.sf_open(path.encode(), SFM_WRITE, info)
    if not file:
        raise OSError(lib.sf_strerror(None).decode())
    for name, text in strings.items():
        lib.sf_set_string(file, STRINGS[name], text.encode())
    buffer = array.array("d", samples)
    lib.sf_writef_double(file, buffer.buffer_info()[0], len(samples) // channels)
    lib.sf_close(file)


def read(path):
    """(rate, channels, encoding, samples as floats, strings)"""
    info = Info()
    file = lib.sf_open(path.encode(), SFM_READ, info)
    if not file:
        raise OSError(lib.sf_strerror(None).decode())
    buffer = array.array("f", bytes(4 * info.frames * info.channels))
    count = lib.sf_readf_float(file, buffer.buffer_info()[0], info.frames)
    strings = {name: lib.sf_get_string(file, code) for name, code in STRINGS.items()}
    strings = {name: text.decode() for name, text in strings.items() if text}
    lib.sf_close(file)
    encoding = {code: name for name, code in ENCODINGS.items()}[info.format & 0xFFFF]
    return info.samplerate, info.channels, encoding, buffer[: count * info.channels], strings
