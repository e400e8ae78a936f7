#!/bin/sh
# Needs EDGESIM_URL and EDGESIM_TOKEN, which `edgesim exec -- sh keys.sh` sets.
set -eu

call() {
  curl --silent --show-error --fail-with-body \
    -H "Authorization: Bearer $EDGESIM_TOKEN" -H 'Service-Version: 2' -H 'Content-Type: application/json' "$@"
}

call "$EDGESIM_URL/api_keys" -d '{"description":"from a shell"}' > /dev/null
call "$EDGESIM_URL/api_keys?limit=1" | grep --only-matching '"description":"[^"]*"'

# What did the simulator see?
curl --silent --fail-with-body "$EDGESIM_URL/_sim/requests/verify" -H 'Content-Type: application/json' \
  -d '{"sequence":[{"operation":"create_api_key"},{"operation":"list_api_keys"}]}' > /dev/null
echo 'as expected'
