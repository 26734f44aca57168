import { CONDITION_MUTANTS } from './condition-mutants.ts'
import { FILE_MUTANTS } from './file-mutants.ts'

/** A change to one file of the server's source. */
export interface Edit {
  /** Relative to packages/server/src. */
  readonly file: string
  /** Must occur exactly once in the file. */
  readonly search: string
  readonly replace: string
}

/** A mistake that a developer could make. */
export interface Mutant {
  readonly name: string
  /** The check that must catch it: one half of the oracle, or a test file if the oracle sends no such request. */
  readonly by: 'reads' | 'writes' | 'files' | `test/${string}.test.ts`
  /** More than one if a second check would hide the mistake. */
  readonly edits: readonly Edit[]
}

const GRANTS = 'access/grants.ts'
const READ = 'access/authorize-read.ts'
const SETTLE = 'access/simplify-rule.ts'
const RIGHTS = 'access/permissions.ts'
const WRITE = 'access/authorize-write.ts'
const ROWS = 'engine/write/row-rules.ts'
const REMOVE = 'engine/write/remove.ts'

const read = (name: string, file: string, search: string, replace: string): Mutant => ({
  name,
  by: 'reads',
  edits: [{ file, search, replace }],
})
const write = (name: string, file: string, search: string, replace: string): Mutant => ({
  name,
  by: 'writes',
  edits: [{ file, search, replace }],
})
const stated = (name: string, by: Mutant['by'], file: string, search: string, replace: string): Mutant => ({
  name,
  by,
  edits: [{ file, search, replace }],
})

export const MUTANTS: readonly Mutant[] = [
  // callers
  read(
    'policies for other addresses are kept',
    RIGHTS,
    'attached.filter(({ addresses }) => addresses.length === 0 || isInside(address, addresses))',
    'attached',
  ),
  read(
    'policies of parent roles are left out',
    RIGHTS,
    '...roleChain(role, permissionModel).flatMap((id) =>',
    '...roleChain(role, permissionModel).slice(-1).flatMap((id) =>',
  ),
  read(
    'public policies count for everybody',
    RIGHTS,
    '...(role === null ? attachments.filter(isPublic) : [])',
    '...attachments.filter(isPublic)',
  ),
  read(
    'policies of the user are left out where there is a role',
    RIGHTS,
    '...(user === null ? [] :',
    '...(user === null || role !== null ? [] :',
  ),
  // rules
  read(
    'a rule is dropped',
    GRANTS,
    "return { kind: 'or', parts: filters }",
    "return { kind: 'or', parts: filters.length > 1 ? filters.slice(1) : filters }",
  ),
  read(
    'all rules have to hold',
    GRANTS,
    "return { kind: 'or', parts: filters }",
    "return { kind: 'and', parts: filters }",
  ),
  read(
    'row rules are not asked',
    GRANTS,
    'export const rowsOf = (rules: readonly Rule[]): Mask => anyRule(rules)',
    'export const rowsOf = (_rules: readonly Rule[]): Mask => null',
  ),
  read(
    'permissions count that grant nothing shown',
    GRANTS,
    'return names.length === 0 ? rules : rules.filter((rule) => names.some((name) => opens(rule, name)))',
    'return names.length < 0 ? [] : rules',
  ),
  read('a field is seen by the rule of another', GRANTS, '  return anyRule(granting)', '  return anyRule(grant.rules)'),
  read(
    'a rule that cannot be used is every row',
    GRANTS,
    'return { rows: nobody, fields, permission }',
    'return { rows: null, fields, permission }',
  ),
  read(
    'an unresolved variable makes a condition true',
    SETTLE,
    'if (isUnknown(operand, operator, settling, unknown)) return constant(unknown)',
    'if (isUnknown(operand, operator, settling, unknown)) return yes',
  ),
  read('unknown is not turned inside _none', SETTLE, "filter.quantifier === 'none' ? !unknown : unknown", 'unknown'),
  read(
    '_nin leaves out what stands for nothing',
    SETTLE,
    "if (operand === 'list' && !negates && !unknown)",
    "if (operand === 'list' && !unknown)",
  ),
  read(
    'an empty _in is ignored',
    'engine/plan-filter.ts',
    'if (onEmptyList !== null) return onEmptyList ? yes : no',
    'if (onEmptyList !== null) return yes',
  ),
  // values
  read('values are shown as stored', READ, '      return { ...selection, mask: own }\n', '      return selection\n'),
  read(
    'an alias skips the mask',
    READ,
    'const own = mask(nameOf(selection), place)',
    'const own = selection.as === nameOf(selection) ? mask(nameOf(selection), place) : null',
  ),
  read(
    'conditions see hidden values',
    READ,
    'return { ...filter, value: restrictValue(filter.value, place) }',
    'return filter',
  ),
  read(
    'sorting sees hidden values',
    READ,
    '!term.isTie ? { ...term, path: restrictPath(term.path, place) } : term',
    '!term.isTie ? term : term',
  ),
  read(
    'a hidden key orders nothing',
    READ,
    "value.kind === 'column' && value.mask === null && value.field === field",
    "value.kind === 'column' && value.field === field",
  ),
  read(
    'aggregates see hidden values',
    READ,
    'entry.field === null ? entry : { ...entry, mask: mask(entry.field.name, place) }',
    'entry',
  ),
  read(
    'groups see hidden values',
    READ,
    'groups: aggregate.groups.map((group) => ({ ...group, path: restrictPath(group.path, place) }))',
    'groups: aggregate.groups',
  ),
  read(
    'search sees hidden values',
    READ,
    'fields: query.search.fields.map(({ field }) => ({ field, mask: mask(field.name, place) }))',
    'fields: query.search.fields',
  ),
  read(
    'total_count counts hidden rows',
    'engine/plan-read.ts',
    'filter: query.rowRule, search: null',
    'filter: null, search: null',
  ),
  // relations
  read(
    'a masked to-one field is followed',
    READ,
    'mask: allMasks([selection.name, ...selection.relation.columns], place), query',
    'mask: null, query',
  ),
  read(
    'a masked list is shown',
    READ,
    ': { ...selection, mask: own, relation, query }',
    ': { ...selection, mask: null, relation, query }',
  ),
  read(
    'plain lists show keys by any rule',
    READ,
    "selection.kind === 'keys' ? key.map(({ name }) => name) : undefined",
    "selection.kind === 'keys' && key.length < 0 ? [] : undefined",
  ),
  read(
    'groups lead to hidden rows',
    READ,
    'const relation = { ...step.relation, seen }',
    'const relation = { ...step.relation, seen: seen === null ? seen : null }',
  ),
  read(
    'count() counts hidden rows',
    READ,
    'mask: own, relation: seenMany(selection.relation, access, inside)',
    'mask: own, relation: joinedMany(selection.relation, access, inside)',
  ),
  read(
    'conditions count hidden rows',
    READ,
    'relation: seenMany(value.relation, place.access, place.at)',
    'relation: joinedMany(value.relation, place.access, place.at)',
  ),
  read(
    'hidden junction rows connect',
    READ,
    'junctionSeen: both(rows, keysOf(junction, [...nearColumns, ...farColumns]))',
    'junctionSeen: keysOf(junction, [...nearColumns, ...farColumns])',
  ),
  read(
    'masked keys of junction rows connect',
    READ,
    'junctionSeen: both(rows, keysOf(junction, [...nearColumns, ...farColumns]))',
    'junctionSeen: rows',
  ),
  read(
    'inferred lists do not ask for the foreign key',
    READ,
    'return relation.isInferred ? { ...relation, seen: keysOf(relation.to, relation.toColumns) } : relation',
    'return relation',
  ),
  read(
    'conditions see hidden rows of to-one fields',
    READ,
    'relation: { ...filter.relation, seen: rowsOf(inside.grant.rules) }',
    'relation: filter.relation',
  ),
  read(
    'conditions see hidden rows of lists',
    READ,
    'relation: seenMany(filter.relation, access, inside.at)',
    'relation: joinedMany(filter.relation, access, inside.at)',
  ),
  read(
    'conditions follow masked lists',
    READ,
    'mask: filter.name === null ? null : mask(filter.name, place)',
    'mask: null',
  ),
  read(
    'a many-to-any field does not ask for its collection column',
    READ,
    'return { ...selection, mask: allMasks([selection.name, selection.relation.collectionColumn], place), branches }',
    'return { ...selection, mask: allMasks([selection.name], place), branches }',
  ),
  // writes
  write(
    'what the place of a new row fills is not asked',
    WRITE,
    'for (const name of [...sent, ...own]) if (!fields.has(name)) throw noField(name, collection.name)',
    'void [...sent, ...own]',
  ),
  {
    name: 'nested rows need no right',
    by: 'writes',
    edits: [
      {
        file: 'access/authorize-write.ts',
        search: 'for (const node of tree.nodes) authorizeNode(node, actor)',
        replace: 'for (const node of tree.nodes) if (node.path.length === 0) authorizeNode(node, actor)',
      },
      {
        file: 'query/bind-write.ts',
        search: 'if (!lists.some((fields)',
        replace: 'if (node.path.length === 0 && !lists.some((fields)',
      },
    ],
  },
  write(
    'an update asks the union of fields',
    ROWS,
    'rules !== undefined && rules.size > 0 && [...sent].every((name) => permits(rules, name))',
    'rules !== undefined && rules.size > 0 && sent.size >= 0',
  ),
  write(
    'an update asks no rule',
    ROWS,
    "if (need.kind === 'rules') add(",
    "if (need.kind === 'rules' && need.action !== 'update') add(",
  ),
  write(
    'a delete asks no rule',
    'engine/write/delete.ts',
    "const open = await checkRows('delete', collection, collection.key, named, ruleCheckOf(run))",
    'const open = named.map((row) => row.cells)',
  ),
  write(
    'a hidden row can be linked',
    ROWS,
    "if (need.kind === 'rules') add(",
    "if (need.kind === 'rules' && need.action !== 'read') add(",
  ),
  write('a key in a column may lead to a hidden row', ROWS, '  await checkReferences(state)\n', ''),
  write(
    'presets are ignored',
    WRITE,
    'if (permissions.every(({ presets }) => presets === null)) return nothing',
    'if (permissions.length > 0) return nothing',
  ),
  write(
    'earlier presets win',
    WRITE,
    '...permissions.map(({ presets }) => presets ?? {})',
    '...permissions.toReversed().map(({ presets }) => presets ?? {})',
  ),
  write(
    'presets win over the payload',
    'query/bind-write.ts',
    "action === 'create' || action === 'update' ? { ...presetsFor(action, collection, context), ...payload } : payload",
    "action === 'create' || action === 'update' ? { ...payload, ...presetsFor(action, collection, context) } : payload",
  ),
  write(
    'what is saved by its key takes no presets',
    'engine/write/lock.ts',
    'if (node.isLate && !stays(node, state)) bindPresets(',
    'if (done < 0) bindPresets(',
  ),
  write(
    'one validation is enough',
    WRITE,
    '.flatMap(({ validation }) => evaluate(',
    '.slice(0, 1)\n    .flatMap(({ validation }) => evaluate(',
  ),
  write(
    'NULL passes every validation',
    'access/evaluate.ts',
    '!isStrict || test.negates',
    '!isStrict || operand !== undefined',
  ),
  write(
    'a condition on what is not written counts as met',
    'access/evaluate.ts',
    "return [{ field: key, operator: '_required', operand: undefined }]",
    'return []',
  ),
  write(
    'one part of an alternative that is not broken is enough, also when it is unknown',
    'access/evaluate.ts',
    'outcomes.some((outcome) => outcome.length === 0)',
    "outcomes.some((outcome) => outcome.every(({ operator }) => operator === '_required'))",
  ),
  stated(
    'a group that a validation does not know is left out',
    'test/security/validations.test.ts',
    'access/evaluate.ts',
    'if (!reading.isField(key) || hasNoOperator(inner)) return unreadable(key)',
    'if (!reading.isField(key) || hasNoOperator(inner)) return []',
  ),
  stated(
    'the refusal of a validation shows what a variable stands for',
    'test/security/validations.test.ts',
    'access/evaluate.ts',
    'const asWritten = isLiteral(written) ? written : undefined',
    'const asWritten = isLiteral(written) ? written : operand',
  ),
  stated(
    'to free somebody from a condition needs no right',
    'test/service/system-shedding.test.ts',
    'system/guards/escalation.ts',
    'if (!(await areReleasedUsersCovered(before, after, coverage, (ids) => rolesOf(ids, context))))',
    'if ((await areReleasedUsersCovered(before, after, coverage, (ids) => rolesOf(ids, context))) === undefined)',
  ),
  stated(
    'a procedure runs for good in a dry run',
    'test/security/dry-runs.test.ts',
    'graphql/procedures/procedures.ts',
    'if (call.isDryRun)',
    'if (call.isDryRun && operation === undefined)',
  ),
  write(
    'what leaves a list needs no right',
    REMOVE,
    "if (verdicts.includes('closed')) throw forbidden()",
    "if (verdicts.includes('closed')) return leaving",
  ),
  write(
    'hidden rows leave a list',
    REMOVE,
    "!seen.has(index) ? 'hidden' : open.has(index)",
    "!seen.has(index) && keys.length < 0 ? 'hidden' : open.has(index)",
  ),
  stated(
    'another list is emptied',
    'test/service/two-lists.test.ts',
    REMOVE,
    'remove ${action} ${JSON.stringify(list.columns)} ',
    'remove ${action} ',
  ),
  write(
    'answers show a part of what was written',
    'engine/write/read-back.ts',
    '    if (found.length < part.length) throw forbidden()\n',
    '',
  ),
  ...CONDITION_MUTANTS,
  ...FILE_MUTANTS,
]
