import type { Dialect } from '../../dialect.ts'

export const savepoint: Dialect['savepoint'] = {
  make: { text: 'savepoint tain', values: [] },
  back: { text: 'rollback to savepoint tain', values: [] },
  release: { text: 'release savepoint tain', values: [] },
}
