/** Where the content of a row lies. */
export interface FileObject {
  /** The key of the row. */
  readonly id: string
  readonly storage: string
  /** The key of the object; null: the row has no content. */
  readonly key: string | null
}
