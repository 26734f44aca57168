import { Link } from 'wouter'
import { collectionLabel, type Collection } from '../../model/collection.ts'
import { browseRoute } from '../../model/key.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './item.module.css'

/** Where an item is: the way back to its list, and its title. */
export function ItemPath({ collection, title }: { readonly collection: Collection; readonly title: string }) {
  const list = browseRoute(collection.collection)
  return (
    <>
      <Link href={list} className={styles['back']} aria-label={`Back to ${collectionLabel(collection)}`} title="Back">
        <Icon name="arrow-left" size={17} />
      </Link>
      <nav aria-label="Path" className={styles['crumbs']}>
        <Link href={list}>{collectionLabel(collection)}</Link>
        <span aria-hidden="true">/</span>
      </nav>
      <h1 className={styles['title']} dir="auto">
        {title}
      </h1>
    </>
  )
}
