# Python 3.9, without packages: prints the summary of a session file of any agent, and which entry stays first.
# The setting: COMPACTION_URL, and COMPACTION_TOKEN if the service has tokens.
# To run it: python3 compact.py session.jsonl
import json
import os
import sys
import urllib.error
import urllib.request

url = os.environ.get("COMPACTION_URL", "http://127.0.0.1:8080") + "/compaction?keepRecentTokens=8000"
token = os.environ.get("COMPACTION_TOKEN", "none")
headers = {"content-type": "application/x-ndjson", "authorization": f"Bearer {token}"}
with open(sys.argv[1], "rb") as file:
    request = urllib.request.Request(url, data=file.read(), headers=headers)
try:
    with urllib.request.urlopen(request, timeout=300) as response:
        reply = json.load(response)
except urllib.error.HTTPError as error:
    sys.exit(f"{error.code}: {json.load(error)['detail']}")
except urllib.error.URLError as error:
    sys.exit(f"{url} cannot be reached: {error.reason}")
print(reply["summary"])
print(f"\nFirst kept entry: {reply.get('firstKeptEntryId')}", file=sys.stderr)
