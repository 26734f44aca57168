/** What the clock bounds is taken again when it is missed: other work on the machine only ever adds to a time. */
export const MEASURED = { retry: 2 } as const
