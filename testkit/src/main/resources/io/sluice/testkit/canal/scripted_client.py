# Does with canal-python what lines on its standard input say, and prints what came of it: see ScriptedClient.java.
import base64
import hashlib
import io
import sys

from canal.client import Client
from canal.protocol import CanalProtocol_pb2

host, port, destination, user, password = sys.argv[1:6]
# The library prints what it does; the answers go elsewhere.
answers = sys.stdout
sys.stdout = io.StringIO()
client = Client()


def reply(text):
    answers.write(text + "\n")
    answers.flush()


def token(secret, seed):
    """The library sends passwords as they are given, and forgets the seed: whoever uses one does this."""
    if not secret:
        return b""
    once = hashlib.sha1(secret.encode()).digest()
    salted = hashlib.sha1(seed + hashlib.sha1(once).digest()).digest()
    return bytes(a ^ b for a, b in zip(once, salted)).hex().encode()


def connect():
    seen = []
    read = client.connector.read_next_packet
    client.connector.read_next_packet = lambda: seen.append(read()) or seen[-1]
    client.connect(host=host, port=int(port))
    client.connector.read_next_packet = read
    packet = CanalProtocol_pb2.Packet.FromString(seen[0])
    seed = CanalProtocol_pb2.Handshake.FromString(packet.body).seeds
    client.check_valid(username=user.encode(), password=token(password, seed))


def run(words):
    verb, argument = words[0], words[1] if len(words) > 1 else ""
    if verb == "connect":
        connect()
    elif verb == "subscribe":
        client.subscribe(client_id=b"1001", destination=destination.encode(), filter=argument.encode())
    elif verb == "unsubscribe":
        client.unsubscribe()
    elif verb == "ack":
        client.ack(int(argument))
    elif verb == "rollback":
        client.rollback(int(argument))
    elif verb == "disconnect":
        client.disconnect()
    elif verb == "get":
        message = client.get_without_ack(int(argument), int(words[2]), 2)
        lines = ["batch %d %d" % (message["id"], len(message["entries"]))]
        lines += [base64.b64encode(entry.SerializeToString()).decode() for entry in message["entries"]]
        reply("\n".join(lines))
        return
    else:
        raise ValueError("what is " + verb + "?")
    reply("ok")


for line in sys.stdin:
    try:
        run(line.rstrip("\n").split(" ", 2))
    except Exception as e:
        reply("error " + " ".join(repr(e).split()))
    sys.stdout.seek(0)
    sys.stdout.truncate()
