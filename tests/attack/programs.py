"""Two hundred kinds of bad program: what each does, when it does it, and how it is run.

Every one plays a game against an honest program beside it. Whatever it does, the game has to end
with a verdict against it (or be played to its end), within its time, leaving no process behind.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from plyground.arena.match import play_game
from plyground.arena.task import GameTask, MatchRules
from plyground.core.limits import Limit
from plyground.core.record import GameRecord
from plyground.engines.engine import EngineSettings
from plyground.engines.pool import engine_pool
from plyground.engines.process import ProcessLimits
from plyground.engines.sandbox import SandboxMode
from scripted_players import write_engine

RULES = EngineSettings(
    startup=6.0,
    margin=0.3,
    patience=2.0,
    grace=0.3,
    limits=ProcessLimits(memory=200 << 20, flood=1 << 20, line=1 << 16, processes=40),
)

SAYS = {
    "nothing": "''",
    "a word": "'hello there'",
    "half a message": '\'{"type":"bestmove","move":\'',
    "an empty object": "'{}'",
    "a list": "'[1,2,3]'",
    "a number": "'42'",
    "a type that is none": '\'{"type":"conquer"}\'',
    "a type that is a number": "'{\"type\":7}'",
    "a move that is a number": '\'{"type":"bestmove","move":7}\'',
    "a move that is null": '\'{"type":"bestmove","move":null}\'',
    "an empty move": '\'{"type":"bestmove","move":""}\'',
    "a long move": '\'{"type":"bestmove","move":"\' + "9" * 5000 + \'"}\'',
    "a superscript move": '\'{"type":"bestmove","move":"\\u00b2"}\'',
    "an escape as a move": '\'{"type":"bestmove","move":"\\\\u001b[2J"}\'',
    "a move from elsewhere": '\'{"type":"bestmove","move":"Aa1!"}\'',
    "many moves": '\'{"type":"bestmove","moves":\' + json.dumps(["1"] * 500) + "}"',
    "a huge number of nodes": '\'{"type":"bestmove","move":"1","nodes":\' + "9" * 4000 + "}"',
    "a score that is none": '\'{"type":"bestmove","move":"1","score":{"probability":7e400}}\'',
    "nan": '\'{"type":"bestmove","move":"1","score":NaN}\'',
    "deep nesting": '"[" * 50000',
    "another turn": '\'{"type":"bestmove","turn":-5,"move":"1"}\'',
    "a turn without end": '\'{"type":"bestmove","turn":\' + "1" * 300 + \',"move":"1"}\'',
    "another game": '\'{"type":"bestmove","id":"other","turn":999999,"move":"1"}\'',
    "a complaint": '\'{"type":"error","message":"\' + "x" * 60000 + \'"}\'',
    "ready": '\'{"type":"ready"}\'',
    "hello": '\'{"type":"hello","protocol":99}\'',
    "a note of a book": '\'{"type":"info","note":"\' + "x" * 60000 + \'"}\'',
    "a proposal that is none": '\'{"type":"info","move":"zzz"}\'',
    "surrogates": '\'{"type":"bestmove","move":"\\\\ud800"}\'',
    "null characters": '"\\0" * 100',
    "a line of a megabyte": '"x" * (1 << 20)',
    "carriage returns": '"\\r" * 1000',
    "a turn that is true": '\'{"type":"bestmove","turn":true,"move":"1"}\'',
    "a turn that is a fraction": '\'{"type":"bestmove","turn":1.5,"move":"1"}\'',
    "a turn as text": '\'{"type":"bestmove","turn":"1","move":"1"}\'',
    "an id that is a list": '\'{"type":"bestmove","id":[1],"move":"1"}\'',
    "two moves for one": '\'{"type":"bestmove","move":"1","move":"2"}\'',
    "two messages in a line": '\'{"type":"info"}{"type":"bestmove","move":"1"}\'',
    "a byte order mark": '\'\\ufeff{"type":"bestmove","move":"1"}\'',
    "infinity": '\'{"type":"info","elapsed":1e999,"nodes":1e300,"depth":-1e300}\'',
    "a depth beyond all words": '\'{"type":"bestmove","move":"1","depth":\' + str(2**200) + "}"',
    "a wish list": '\'{"type":"hello","name":"x","wants":\' + json.dumps(["position"] * 999) + "}"',
    "a name that steers": '\'{"type":"hello","name":"\\\\u001b]0;x\\\\u0007\\\\u202e<b>"}\'',
    "a line without end": '\'{"type":"info","move":"1","line":\' + json.dumps(["1"] * 9999) + "}"',
    "all moves as one": '\'{"type":"bestmove","move":"1 2 3 4 5 1 2 3"}\'',
    "both a move and moves": '\'{"type":"bestmove","move":"1","moves":["2","3"]}\'',
    "that it resigns with a move": '\'{"type":"bestmove","move":"1","resign":true}\'',
    "a null as a move": '\'{"type":"bestmove","move":"\\\\u0000"}\'',
    "a move in two lines": '\'{"type":"bestmove","move":"1\\\\n{}"}\'',
    "a note that turns around": '\'{"type":"info","note":"\\\\u202e\\\\u2066=1+1<img src=x>"}\'',
    "lists in lists": '\'{"type":"info","line":\' + "[" * 9000 + "]" * 9000 + "}"',
    "objects in objects": '\'{"type":"info","score":\' + \'{"a":\' * 9000 + "1" + "}" * 9001',
    "a key of a book": '\'{"type":"info","\' + "k" * 60000 + \'":1}\'',
    "a key again and again": '\'{"type":"info",\' + \'"move":"1",\' * 5000 + \'"move":"2"}\'',
    "moves that are lists": '\'{"type":"bestmove","moves":[["1"],{"a":1},null]}\'',
    "no moves at all": '\'{"type":"bestmove","moves":[],"move":""}\'',
    "that it resigns in words": '\'{"type":"bestmove","resign":"yes","move":"1"}\'',
    "values without end": (
        '\'{"type":"bestmove","move":"1","values":[\' + ",".join([\'{"move":"1"}\'] * 4000) + "]}"'
    ),
    "impossible scores": (
        '\'{"type":"bestmove","move":"1","score":{"value":"win","distance":-5,"points":1e308}}\''
    ),
    "a score of scores": '\'{"type":"bestmove","move":"1","score":{"points":{"points":1}}}\'',
    "a tiny number": '\'{"type":"info","elapsed":1e-999,"nodes":-0.0,"depth":1e-5}\'',
    "a number of a book": '\'{"type":"info","nodes":\' + "7" * 60000 + "}"',
    "a type in two tongues": '\'{"type":"info","type":"bestmove","move":"1"}\'',
    "a type that is a list": '\'{"type":["bestmove"],"move":"1"}\'',
    "an array of messages": '\'[{"type":"bestmove","move":"1"}]\'',
    "a comment": '\'{"type":"bestmove", /* */ "move":"1"}\'',
    "single quotes": "\"{'type':'bestmove','move':'1'}\"",
    "a form feed": '"\\x0c\\x1c\\x85\\u2028" + \'{"type":"bestmove","move":"1"}\'',
    "games without end": '\'{"type":"hello","games":\' + json.dumps(["x" * 9] * 4000) + "}"',
    "a protocol that is true": '\'{"type":"hello","protocol":true,"version":{}}\'',
    "a complaint that steers": '\'{"type":"error","message":"\\\\u001b[2J\\\\u0007\\\\u202e"}\'',
    "a score for nobody": '\'{"type":"bestmove","move":"1","score":{"points":1,"player":77}}\'',
}
"""What it says where an answer is due, as Python that makes the text."""

DOES = {
    "exits": "sys.exit(0)",
    "exits with an error": "sys.exit(3)",
    "raises": "raise RuntimeError('\\x1b[31mred')",
    "is killed": "os.kill(os.getpid(), 9)",
    "is terminated": "os.kill(os.getpid(), 15)",
    "aborts": "os.abort()",
    "stops itself": "os.kill(os.getpid(), 19)",
    "sleeps": "time.sleep(60)",
    "works for ever": "while True: pass",
    "closes its output": "os.close(1); time.sleep(60)",
    "closes its input": "os.close(0); time.sleep(60)",
    "closes everything": "os.closerange(0, 64); time.sleep(60)",
    "floods its output": "while True: os.write(1, b'x' * 4096)",
    "floods with lines": 'while True: os.write(1, b\'{"type":"info"}\\n\' * 200)',
    "floods with empty lines": "while True: os.write(1, b'\\n' * 4096)",
    "floods its log": "for _ in range(3000): os.write(2, b'x' * 4096)",
    "drips": "while True: os.write(1, b'\\n'); time.sleep(0.01)",
    "eats memory": "hog = []\nwhile True: hog.append(bytearray(8 << 20))",
    "forks": "for _ in range(60):\n    if os.fork() == 0: time.sleep(60)",
    "doubles again and again": "for _ in range(8): os.fork()\ntime.sleep(60)",
    "leaves a daemon": (
        "if os.fork() == 0:\n    os.setsid()\n"
        "    if os.fork() == 0: time.sleep(60)\n    os._exit(0)"
    ),
    "leaves a daemon that writes": (
        "if os.fork() == 0:\n    os.setsid()\n    while True:\n"
        "        try: os.write(1, b'1\\n'); time.sleep(0.01)\n        except OSError: os._exit(0)"
    ),
    "kills its parent": "os.kill(os.getppid(), 9); time.sleep(60)",
    "stops its parent": "os.kill(os.getppid(), 19); time.sleep(60)",
    "kills its group": "os.killpg(0, 9)",
    "signals everybody below": "os.kill(os.getppid(), 15); os.kill(os.getppid(), 1)",
    "ignores signals": "import signal\nfor n in (1, 2, 15): signal.signal(n, 1)\ntime.sleep(60)",
    "opens files": "files = []\nwhile True: files.append(open('/dev/null'))",
    "fills its home": (
        "if os.environ['HOME'] != '/home/player': sys.exit(1)  # only in the sandbox's memory\n"
        "f = open('/home/player/big', 'wb')\nwhile True: f.write(bytes(1 << 20))"
    ),
    "reads what is not its own": "open('/etc/shadow').read(); open('/root/.bashrc').read()",
    "uses the network": "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
    "turns into another": "os.execv('/bin/cat', ['cat'])",
    "starts threads": (
        "import threading\n"
        "for _ in range(500): threading.Thread(target=time.sleep, args=(60,)).start()"
    ),
    "recurses": "f = lambda: f()\nf()",
    "writes to the supervisor": (
        "import glob\nfor name in glob.glob('/proc/%d/fd/*' % os.getppid()):\n"
        "    try: os.write(os.open(name, os.O_WRONLY | os.O_NONBLOCK), b'garbage\\n' * 50)\n"
        "    except OSError: pass"
    ),
    "answers twice": "send(type='bestmove', move='1'); send(type='bestmove', move='2')",
    "answers late": "time.sleep(0.9)",
    "changes its clock": "try: time.clock_settime(0, 0)\nexcept (OSError, AttributeError): pass",
    "has another nice": "os.nice(19)\nwhile True: pass",
    "traces its parent": "open('/proc/%d/mem' % os.getppid(), 'r+b')",
    "attaches to its parent": (
        "import ctypes\nctypes.CDLL(None).ptrace(16, os.getppid(), None, None); time.sleep(60)"
    ),
    "runs from its killer": (
        "end = time.time() + 30\nwhile time.time() < end:\n"
        "    if os.fork(): os._exit(0)\n    os.setsid()"
    ),
    "leaves zombies": "for _ in range(30):\n    if os.fork() == 0: os._exit(0)",
    "has a name like the kernel's": (
        "import ctypes\nctypes.CDLL(None).prctl(15, b') S 1 1\\n(x', 0, 0, 0)\ntime.sleep(60)"
    ),
    "leaves its control group": (
        "import glob\nfor name in glob.glob('/sys/fs/cgroup/**/cgroup.procs'):\n"
        "    try: open(name, 'w').write('0')\n    except OSError: pass\n"
        "if os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n"
        "os.kill(os.getppid(), 9)"
    ),
    "is woken by its child": (
        "if os.fork() == 0:\n    while os.getppid() > 1: os.kill(os.getppid(), 18)\n    os._exit(0)"
    ),
    "kills everybody": (
        "if os.environ['HOME'] != '/home/player' or os.getpid() > 99: sys.exit(1)\nos.kill(-1, 9)"
    ),
    "hides memory": (
        "fd = os.memfd_create('x')\nfor _ in range(256): os.write(fd, bytes(1 << 20))"
    ),
    "has small pipes": "import fcntl\nfor fd in (0, 1): fcntl.fcntl(fd, 1031, 4096)",
    "talks to itself": "os.write(os.open('/proc/self/fd/0', os.O_WRONLY), b'nonsense\\n' * 100)",
    "drinks its own output": (
        "import threading\nmouth = os.open('/proc/self/fd/1', os.O_RDONLY)\n"
        "drink = lambda: [os.read(mouth, 9) for _ in range(99)]\n"
        "threading.Thread(target=drink, daemon=True).start()"
    ),
    "waits for the end of its input": "sys.stdin.read()",
    "writes bytes that are no text": (
        'os.write(1, b\'{"type":"bestmove","move":"\\xff\\xfe"}\\n\')'
    ),
    "writes wide characters": "os.write(1, json.dumps({'type': 'bestmove'}).encode('utf-16'))",
    "writes without an end": 'os.write(1, b\'{"type":"bestmove",\'); time.sleep(60)',
    "chatters out of turn": (
        "import threading\ndef talk():\n    while True: send(type='info'); time.sleep(0.001)\n"
        "threading.Thread(target=talk, daemon=True).start()"
    ),
    "answers for ever": (
        "import threading\ndef talk():\n    n = 0\n    while True:\n        n += 1\n"
        "        send(type='bestmove', turn=n, move='1'); time.sleep(0.002)\n"
        "threading.Thread(target=talk, daemon=True).start()"
    ),
    "answers ahead": "send(type='bestmove', turn=turn + 1, move='1')",
    "answers in its last instant": "time.sleep(0.29)",
    "writes half a character": (
        'os.write(1, b\'{"type":"info","note":"\\xe2\\x82\'); time.sleep(0.05)\n'
        "os.write(1, b'\\xac\"}\\n')"
    ),
    "writes letter by letter": (
        'for letter in b\'{"type":"info","move":"1"}\\n\':\n'
        "    os.write(1, bytes([letter])); time.sleep(0.002)"
    ),
    "stops its group": "os.killpg(0, 19); time.sleep(60)",
    "writes to the terminal": (
        "try: open('/dev/tty', 'w').write('\\x1b[2J')\nexcept OSError: pass"
    ),
    "makes folders without end": (
        "if os.environ['HOME'] != '/home/player': sys.exit(1)\n"
        "for _ in range(3000): os.mkdir('d'); os.chdir('d')"
    ),
    "makes files without end": (
        "if os.environ['HOME'] != '/home/player': sys.exit(1)\n"
        "for n in range(20000): open(f'f{n}', 'w').close()"
    ),
    "locks its memory": "import ctypes\nctypes.CDLL(None).mlockall(3)",
    "has no niceness left": ("try: os.nice(-20)\nexcept OSError: pass\nwhile True: pass"),
    "sits on one processor": "os.sched_setaffinity(0, {0})\nwhile True: pass",
    "sets alarms": (
        "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\n"
        "signal.signal(signal.SIGALRM, lambda *_: None)"
    ),
    "makes a namespace": "import ctypes\nctypes.CDLL(None).unshare(0x10000000 | 0x20000000)",
    "hands its pipes on": ("if os.fork() == 0:\n    os.setsid(); time.sleep(60)\nos._exit(0)"),
    "goes into the background": "if os.fork(): os._exit(0)\nos.setsid()",
    "writes errors for ever": "while True: os.write(2, b'x' * 65536)",
    "writes notices for ever": "while True: os.write(2, b'\\nplyground: I won\\n' * 999)",
    "uses all that it may": "hog = bytearray(150 << 20)",
    "answers as its time ends": "time.sleep(0.3)",
    "answers as its margin ends": "time.sleep(0.5995)",
    "fills shared memory": (
        "if os.environ['HOME'] != '/home/player': sys.exit(1)\n"
        "f = open('/dev/shm/big', 'wb')\nwhile True: f.write(bytes(1 << 20))"
    ),
    "types into the terminal": (
        "import fcntl\nfor name in (0, 1, 2, '/dev/tty', '/dev/console'):\n"
        "    try: fcntl.ioctl(name if isinstance(name, int) else os.open(name, 2), 0x5412, b'x')\n"
        "    except OSError: pass"
    ),
    "signals all numbers": (
        "if os.environ['HOME'] != '/home/player' or os.getpid() > 99: sys.exit(1)\n"
        "for pid in range(1, 400):\n    if pid != os.getpid():\n"
        "        try: os.kill(pid, 15)\n        except OSError: pass"
    ),
    "asks for real time": (
        "try: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))\nexcept OSError: pass"
    ),
    "stops and wakes itself": (
        "if os.fork() == 0:\n    while os.getppid() > 1:\n"
        "        os.kill(os.getppid(), 19); time.sleep(0.01)\n"
        "        os.kill(os.getppid(), 18); time.sleep(0.01)\n    os._exit(0)"
    ),
    "makes links to everything": (
        "if os.environ['HOME'] != '/home/player': sys.exit(1)\n"
        "for n in range(2000): os.symlink('/', f'l{n}'); os.link(f'l{n}', f'h{n}')"
    ),
    "sends descriptors": (
        "import socket\na, b = socket.socketpair()\n"
        "for _ in range(200): socket.send_fds(a, [b'x'], [0, 1, 2])"
    ),
    "lies about its size": "hog = __import__('mmap').mmap(-1, 1 << 40)",
    "allows itself nothing": (
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20))\n"
        "bytearray(1 << 24)"
    ),
}
"""What it does there, as Python."""

WHEN = ("hello", "new_game", "go")


@dataclass(frozen=True)
class BadProgram:
    """One kind. `slots` are the parts of a scripted program that it has."""

    name: str
    slots: dict[str, str]
    sandbox: SandboxMode
    by: str


def kinds() -> Iterator[BadProgram]:
    """All of them: each deed at each moment, in the sandbox and outside, by both clocks in turn."""
    clocks = itertools.cycle(("wall", "cpu", "wall"))
    for name, text in SAYS.items():
        code = f"os.write(1, ({text}).encode(errors='surrogatepass') + b'\\n')"
        for when in WHEN:
            yield BadProgram(f"says {name} at {when}", {when: code}, "off", next(clocks))
    for name, code in DOES.items():
        for when, sandbox in itertools.product(WHEN, ("off", "auto")):
            if sandbox == "off" and name in ("fills its disk", "signals everybody below"):
                continue  # in its own memory only, never on a disk of ours
            yield BadProgram(
                f"{name} at {when}, sandbox {sandbox}", {when: code}, sandbox, next(clocks)
            )


def play(kind: BadProgram, folder: Path, number: int) -> GameRecord:
    """A game of the bad program against an honest one; it must end by itself."""
    folder.mkdir(parents=True, exist_ok=True)
    slots = {when: f"if turn <= 1:\n{_indented(code)}" for when, code in kind.slots.items()}
    bad = write_engine(folder, f"bad{number}", **slots)
    good = write_engine(folder, f"good{number}")
    players = (bad, good) if number % 2 == 0 else (good, bad)
    by = "cpu" if kind.by == "cpu" else "wall"
    limit = Limit(time=0.3, by=by)  # type: ignore[arg-type]
    settings = msgspec.structs.replace(RULES, sandbox=kind.sandbox)
    task = GameTask(
        schedule_id=f"g{number}",
        pair_id=f"p{number}",
        game="connect4",
        options={"width": 5, "height": 4, "mean": "none"},
        players=players,
        labels=("first", "second"),
        seats=(0, 1),
        limits=(limit, limit),
        engine_seeds=(1, 2),
        rules=MatchRules(engine=settings),
    )
    with engine_pool() as engines:
        return play_game(task, engines).record


def _indented(code: str) -> str:
    return "\n".join(f"    {line}" for line in code.split("\n"))
