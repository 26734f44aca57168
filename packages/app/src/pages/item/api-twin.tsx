import { apiPath } from '../../api/address.ts'
import type { Collection } from '../../model/collection.ts'
import { itemPath } from '../../model/key.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './panel.module.css'

interface ApiTwinProps {
  readonly collection: Collection
  readonly itemKey: string
  readonly etag: string | null
  readonly isFull?: boolean
}

/** The row as a request, to copy. */
export function ApiTwin({ collection, itemKey, etag, isFull = false }: ApiTwinProps) {
  const path = itemPath(collection, itemKey)
  const url = `${location.origin}${apiPath(path)}`
  const requests = [
    {
      name: 'This item as a request',
      text: [`GET ${path}`, ...(etag === null ? [] : [`ETag: ${etag}`])],
      curl: `curl -H "Authorization: Bearer $TOKEN" '${url}'`,
    },
    ...(isFull
      ? [
          {
            name: 'Change it if nobody else did',
            text: [`PATCH ${path}`, ...(etag === null ? [] : [`If-Match: ${etag}`]), '{ "field": "value" }'],
            curl: `curl -X PATCH -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'${etag === null ? '' : ` -H 'If-Match: ${etag}'`} -d '{"field": "value"}' '${url}'`,
          },
          {
            name: 'Its history',
            text: [
              `GET /revisions?filter[collection][_eq]=${collection.collection}`,
              `    &filter[item][_eq]=${itemKey}`,
            ],
            curl: `curl -g -H "Authorization: Bearer $TOKEN" '${location.origin}${apiPath('/revisions')}?filter[collection][_eq]=${collection.collection}&filter[item][_eq]=${itemKey}'`,
          },
        ]
      : []),
  ]
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(
      () => toast('Copied as curl.'),
      () => toast('The browser did not allow copying.', { tone: 'danger' }),
    )
  return (
    <>
      {requests.map(({ name, text, curl }) => (
        <section key={name} className={styles['card']}>
          <h2>
            <Icon name="code" size={14} />
            {name}
          </h2>
          <pre>{text.join('\n')}</pre>
          <Button kind="quiet" icon="copy" aria-label={`Copy curl: ${name}`} onClick={() => copy(curl)}>
            Copy curl
          </Button>
        </section>
      ))}
    </>
  )
}
