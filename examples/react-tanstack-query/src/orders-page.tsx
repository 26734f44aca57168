import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ordersBy, statuses, useStatusChange, type Status } from './orders.ts'

const next: Readonly<Partial<Record<Status, Status>>> = {
  new: 'paid',
  paid: 'packed',
  packed: 'shipped',
  shipped: 'delivered',
}

export function OrdersPage() {
  const [status, setStatus] = useState<Status>('paid')
  const orders = useQuery(ordersBy(status))
  const change = useStatusChange(status)
  const following = next[status]
  return (
    <main>
      <h1>Orders</h1>
      <label>
        Status{' '}
        <select value={status} onChange={(event) => setStatus(statuses.find((each) => each === event.target.value)!)}>
          {statuses.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {orders.isPending && <p>Reading…</p>}
      {orders.error && <p role="alert">{orders.error.message}</p>}
      {change.error && <p role="alert">{change.error.message}</p>}
      {orders.data?.length === 0 && <p>No orders are {status}.</p>}
      {orders.data !== undefined && orders.data.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Order</th>
              <th>Customer</th>
              <th>Items</th>
              <th>Ordered</th>
              <th>
                <span hidden>Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {orders.data.map(({ id, customer, ordered_at, order_items_count }) => (
              <tr key={id}>
                <td>{id}</td>
                <td>
                  {customer.first_name} {customer.last_name}
                </td>
                <td>{order_items_count}</td>
                <td>{ordered_at.slice(0, 10)}</td>
                <td>
                  {following !== undefined && (
                    <button type="button" onClick={() => change.mutate({ id, status: following })}>
                      Mark as {following}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  )
}
