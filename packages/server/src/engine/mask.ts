/** What stands where a secret is. */
export const MASK = '**********'
