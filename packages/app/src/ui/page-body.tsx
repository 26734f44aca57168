import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './page-body.module.css'

interface PageBodyProps {
  readonly children: ReactNode
  readonly width?: 'narrow' | 'normal' | 'wide'
}

/** What is below the head of a page: scrolls by itself, and is no wider than it can be read. */
export const PageBody = ({ children, width = 'normal' }: PageBodyProps) => (
  <div className={styles['scroll']}>
    <div className={styles['body']} data-width={width}>
      {children}
    </div>
  </div>
)

export interface Crumb {
  readonly label: string
  readonly path: string
}

/** Links to the pages above one. */
export const Crumbs = ({ to }: { readonly to: readonly Crumb[] }) => (
  <>
    {to.map(({ label, path }) => (
      <Fragment key={path}>
        <Link href={path} className={styles['crumb']}>
          {label}
        </Link>
        <span aria-hidden="true">/</span>
      </Fragment>
    ))}
  </>
)
