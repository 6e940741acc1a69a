import type { Random } from '../../bench/support/create-random.ts'

/** Values that break what takes their type, size or place for granted. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -0,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  'constructor',
  '__proto__',
  'toolResult',
  'compaction',
  'assistant',
  '\uD800',
  'a\uDC00b',
  '\u0000\u200b\u2028',
  '</conversation>',
  '[User]: ',
  '{{focus}}',
  '../../etc/passwd',
  'a'.repeat(5000),
  '\n'.repeat(3000),
  '😀'.repeat(700),
  '# '.repeat(900),
  '```'.repeat(300),
  '-----BEGIN PRIVATE KEY-----'.repeat(40),
  [],
  {},
  [[[[[[]]]]]],
  { type: 'text' },
  { role: 'user' },
  { toString: 'x', valueOf: 'y', hasOwnProperty: 1 },
]

const KEYS = [
  ...['id', 'parentId', 'type', 'role', 'content', 'message', 'arguments', 'command', 'server_name'],
  ...['constructor', 'length', 'toJSON', 'toString', 'valueOf'],
]

type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

/** Changes a JSON value in one to four places: replaces, removes, doubles, moves, nests, or adds. The value itself stays as it is. */
export function mutateValue(value: unknown, random: Random): unknown {
  const root = { value: structuredClone(value) }
  for (let count = random.integer(1, 4); count > 0; count--) mutateOnce(root, random)
  return root.value
}

function mutateOnce(root: { value: unknown }, random: Random): void {
  const place = choosePlace(root, random)
  const { parent, key } = place
  switch (random.integer(0, 6)) {
    case 0: {
      remove(parent, key)
      return
    }
    case 1: {
      set(parent, key, nest(get(parent, key), random.integer(1, 400)))
      return
    }
    case 2: {
      set(parent, random.pick(KEYS), random.pick(HOSTILE))
      return
    }
    case 3: {
      double(parent, key, random)
      return
    }
    case 4: {
      set(parent, key, get(choosePlace(root, random).parent, key))
      return
    }
    case 5: {
      set(parent, '__proto__', random.pick(HOSTILE))
      return
    }
    default: {
      set(parent, key, random.pick(HOSTILE))
      return
    }
  }
}

/** A place somewhere in the value, the deeper the rarer. */
function choosePlace(root: { value: unknown }, random: Random): { parent: Container; key: string } {
  let parent: Container = root
  let key = 'value'
  for (;;) {
    const inner = get(parent, key)
    const keys = isContainer(inner) ? Object.keys(inner) : []
    if (!isContainer(inner) || keys.length === 0 || random.next() < 0.2) return { parent, key }
    parent = inner
    key = random.pick(keys)
  }
}

const get = (parent: Container, key: string): unknown =>
  Object.hasOwn(parent, key) ? (parent as Record<string, unknown>)[key] : undefined

function set(parent: Container, key: string, value: unknown): void {
  // An array's other keys are none of JSON's, and break the array.
  if (Array.isArray(parent) && !/^\d+$/.test(key)) return
  // What contains itself is no JSON; and by assignment `__proto__` would be no key.
  const copy = isContainer(value) ? structuredClone(value) : value
  Object.defineProperty(parent, key, { value: copy, enumerable: true, configurable: true, writable: true })
}

function remove(parent: Container, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else Reflect.deleteProperty(parent, key)
}

function double(parent: Container, key: string, random: Random): void {
  if (!Array.isArray(parent)) return
  const copies = Array.from({ length: random.integer(1, 30) }, () => structuredClone<unknown>(parent[Number(key)]))
  parent.splice(random.integer(0, parent.length), 0, ...copies)
}

function nest(value: unknown, depth: number): unknown {
  let nested = value
  for (let level = 0; level < depth; level++) nested = level % 2 === 0 ? [nested] : { content: nested }
  return nested
}
