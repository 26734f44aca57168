import { expect, test } from 'vitest'
import { DUE_TIMES_SIZES, deliveryStatements } from '../../service/deliveries.ts'
import { serverThat } from './capabilities.ts'
import { postgres } from './index.ts'
import { isLong } from './prepared-statements.ts'
import { createServiceDialect } from './service.ts'

test.each(DUE_TIMES_SIZES)(
  'the look for due deliveries of %i webhooks is kept prepared, whatever the schema is called',
  (size) => {
    const { dueTimes } = deliveryStatements(createServiceDialect(serverThat()))
    expect(isLong(postgres.compile(dueTimes[size]('x'.repeat(63))).text)).toBe(false)
  },
)
