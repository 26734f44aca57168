import { Redirect } from 'wouter'
import { useIsAdministrator, useStart } from '../../app/use-start.ts'
import { browsable, inOrder } from '../../model/collection.ts'
import { browseRoute } from '../../model/key.ts'
import { lastCollection } from '../../model/last-collection.ts'
import { Empty } from '../../ui/feedback.tsx'

/** Opens the collection that was used last, else the first one. */
export function HomePage() {
  const isAdministrator = useIsAdministrator()
  const all = inOrder(browsable(useStart().collections))
  const last = lastCollection()
  const opened = all.find(({ collection }) => collection === last) ?? all[0]
  if (opened !== undefined) return <Redirect replace to={browseRoute(opened.collection)} />
  return isAdministrator ? (
    <Empty icon="database" title="The database has no tables yet">
      Create a table with the schema API or with any database tool. It appears here at once.
    </Empty>
  ) : (
    <Empty icon="lock" title="There is nothing here for you yet">
      You may not read any collection. Ask an administrator for a policy that lets you read one.
    </Empty>
  )
}
