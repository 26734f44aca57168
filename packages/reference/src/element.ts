type Attributes = Readonly<Record<string, string | boolean>>

export type Child = Node | string

/** An element of the page. `false` leaves an attribute out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(name, value === true ? '' : value)
  made.append(...children)
  return made
}

/** An element of the frame, which is always there. */
export function frame<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, id: string): HTMLElementTagNameMap[Tag] {
  const found = document.querySelector<HTMLElementTagNameMap[Tag]>(`${tag}#${id}`)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}
