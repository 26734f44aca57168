# Calls what the extensions of this folder change and serve.
set -eu

call() {
  method=$1 path=$2
  shift 2
  curl -sS -g -X "$method" "$TAIN_URL$path" -H "Authorization: Bearer $TAIN_TOKEN" -H 'Content-Type: application/json' "$@"
  echo
}

# The filter sets the slug.
call POST '/items/categories?fields=name,slug' -d '{"name": "Garden & Balcony"}'

# The filter refuses: this category has products.
category=$(call GET '/items/product_categories?fields=category&limit=1' | grep -o '[0-9][0-9]*' | head -n 1)
call DELETE "/items/categories/$category"

# The action hook counts the reviews of a product after the commit.
product=$(call GET '/items/products?fields=id&limit=1' | grep -o '[0-9][0-9]*' | head -n 1)
call POST '/items/reviews?fields=rating' \
  -d '{"product": '"$product"', "rating": 5, "created_at": "2026-01-01T00:00:00Z"}'
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  tags=$(call GET "/items/products/$product?fields=tags")
  case $tags in *stars*) break ;; esac
  sleep 1
done
echo "$tags"

# The endpoint.
call GET '/extensions/stock/below/30'
call GET '/extensions/stock/below/many'
