import t from 'tap'
import { findDeclarations } from '../../src/extract/declarations.ts'

const signaturesOf = (code: string): string[] => findDeclarations(code).map(({ signature }) => signature)

t.test('declarations are found in several languages, each on one line', async (t) => {
  const codes: [code: string, signatures: string[]][] = [
    [
      'import x from "y"\n\nexport async function load(\n  path: string,\n  { signal }: Options = {},\n): Promise<Entry[]> {\n  const a = f(1)\n  return a\n}\n',
      ['export async function load( path: string, { signal }: Options = {}, ): Promise<Entry[]>'],
    ],
    [
      'interface Options {\n  limit: number\n  signal?: AbortSignal\n}\nexport const MAX_ITEMS = 20\n',
      ['interface Options { limit: number signal?: AbortSignal }', 'export const MAX_ITEMS = 20'],
    ],
    [
      'class Store {\n  async get(key: string): Promise<string> {\n    if (key) {\n    }\n    setTimeout(() => {\n    })\n  }\n}\n',
      ['class Store', 'async get(key: string): Promise<string>'],
    ],
    [
      'defmodule A.B do\n  @doc "x"\n  @limit 10\n  attr :rows, :list\n  def show(%{"id" => id}, socket) do\n',
      ['defmodule A.B', '@limit 10', 'attr :rows, :list', 'def show(%{"id" => id}, socket)'],
    ],
    [
      'class A:\n    async def run(self, n: int = 3) -> str:\n        pass\n',
      ['class A', 'async def run(self, n: int = 3) -> str'],
    ],
    ['func (s *Server) Close(ctx context.Context) error {\n', ['func (s *Server) Close(ctx context.Context) error']],
    ['pub(crate) struct Point { x: f64 }\nimpl Point {\n', ['pub(crate) struct Point { x: f64 }', 'impl Point']],
  ]
  for (const [code, signatures] of codes) t.strictSame(signaturesOf(code), signatures)
})

t.test('clauses of one function are different declarations', async (t) => {
  const code = 'def handle_event("save", _, socket) do\ndef handle_event("clear", _, socket) do\n'
  t.equal(new Set(findDeclarations(code).map(({ name }) => name)).size, 2)
})

t.test('prose, calls and data declare nothing', async (t) => {
  t.strictSame(signaturesOf('The function is slow.\nfoo(bar)\n{"type": "x"}\nreturn f(x) {\nif (a) {\n'), [])
})

t.test('a signature ends at a note for lines that were left out', async (t) => {
  t.strictSame(signaturesOf('function f(\n  a: string,\n[... 100 characters left out ...]\nx'), [
    'function f( a: string,',
  ])
})

t.test('the ways of a type stand also behind comments, and a value whose lines are left out has a mark', async (t) => {
  const code =
    "export type Outcome =\n  | { status: 'inserted' }\n  /** The same content. */\n  | { status: 'duplicate' }\n\nconst DATES = {\n  iso: 1,\n};\n"
  t.strictSame(signaturesOf(code), [
    "export type Outcome = | { status: 'inserted' } /** The same content. */ | { status: 'duplicate' }",
    'const DATES = …',
  ])
})

t.test('a test is declared without the function that it is given', async (t) => {
  const code =
    'it("pads lines", () => {\n\tconst lines = render("a", 1);\n\tassert.ok(lines);\n});\nfunction f(\n  a: string,\n) {\n'
  t.strictSame(
    findDeclarations(code).map(({ signature }) => signature),
    ['it("pads lines")', 'function f( a: string, )'],
  )
})
