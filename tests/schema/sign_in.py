"""usage: sign_in.py BASE SOUK DATA_DIR: prints the access tokens of an owner who also lists capacity, and of an operator."""

import json
import subprocess
import sys
import urllib.request

BASE, SOUK, DATA = sys.argv[1:]


def post(path, body, token=None):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def person(name):
    account = {"email": f"{name}@example.org", "password": "a long enough sentence", "display_name": name}
    return account, post("/v1/auth/register", account)["access_token"]


_, owner = person("owner")
post("/v1/providers", {"name": "Fuzz Metal"}, owner)
operator, _ = person("operator")
subprocess.run([SOUK, "admin", "--data-dir", DATA, "make-operator", operator["email"]], check=True, stdout=sys.stderr)
token = post("/v1/auth/login", {"email": operator["email"], "password": operator["password"]})["access_token"]
print(owner, token)
