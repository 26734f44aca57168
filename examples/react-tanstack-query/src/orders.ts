import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { tain } from './tain.ts'

export const statuses = ['new', 'paid', 'packed', 'shipped', 'delivered', 'cancelled'] as const
export type Status = (typeof statuses)[number]

/** TanStack Query gives up what nobody waits for; the signal ends the request, and the service the statement. */
export const ordersBy = (status: Status) =>
  queryOptions({
    queryKey: ['orders', status],
    queryFn: ({ signal }) =>
      tain.items('orders').list(
        {
          fields: ['id', 'status', 'ordered_at', 'customer.first_name', 'customer.last_name', 'count(order_items)'],
          filter: { status: { _eq: status } },
          sort: ['-ordered_at', 'id'],
          limit: 10,
        },
        { signal },
      ),
  })

/** Moves an order out of a list at once, and back if the service refuses. */
export function useStatusChange(shown: Status) {
  const client = useQueryClient()
  const { queryKey } = ordersBy(shown)
  return useMutation({
    mutationFn: ({ id, status }: { readonly id: number; readonly status: Status }) =>
      tain.items('orders').update(id, { status }, { fields: ['id', 'status'] }),
    async onMutate({ id }) {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (orders) => orders?.filter((order) => order.id !== id))
      return before
    },
    onError: (_error, _change, before) => client.setQueryData(queryKey, before),
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
  })
}
