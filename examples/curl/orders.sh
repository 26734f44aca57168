#!/bin/sh
# Reads and writes the shop of "tain demo" with curl.
set -eu
: "${TAIN_URL:=http://127.0.0.1:8055}"
: "${TAIN_TOKEN:?Set TAIN_TOKEN to the token that tain demo prints.}"

# Prints the response. Errors are responses too, so curl is not told to fail.
call() {
  method=$1
  path=$2
  shift 2
  curl --silent --show-error --globoff --request "$method" "$TAIN_URL$path" \
    --header "Authorization: Bearer $TAIN_TOKEN" --header 'Content-Type: application/json' "$@"
  echo
}

echo '# The newest orders with their customers'
call GET '/items/orders?fields=id,status,customer.email&sort=-ordered_at&limit=2'

echo '# Products that are nearly sold out'
call SEARCH '/items/products' --data '{
  "query": {
    "fields": ["name", "stock", "supplier.name"],
    "filter": { "stock": { "_lt": 10 }, "is_active": { "_eq": true } },
    "sort": ["stock", "id"],
    "limit": 2
  }
}'

echo '# A review: create, change, delete'
call POST '/items/reviews?fields=id,rating' --data '{
  "id": 900001, "product": 1, "customer": 1, "rating": 4, "created_at": "2026-01-31T12:00:00"
}'
call PATCH '/items/reviews/900001?fields=rating,product.name' --data '{ "rating": 5 }'
call DELETE '/items/reviews/900001'

echo '# The same create twice, with one key: it happens once'
for attempt in first second; do
  call POST '/items/suppliers?fields=name' --header "Idempotency-Key: \"supplier-900001\"" \
    --data '{ "id": 900001, "name": "Lamp & Co", "city": "Turin", "country": "IT" }'
done
call DELETE '/items/suppliers/900001'

echo '# An error says what to do'
call GET '/items/products?fields=nmae'
