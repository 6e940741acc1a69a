import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  {
    ignores: [
      'dist/',
      '.tap/',
      'node_modules/',
      'examples/agents/',
      'examples/clients/',
      'test/contract/clients/',
      'test/contract/generated/',
      'test/package/consumer.ts',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // `() => close()` is a function without a result, too.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'no-console': 'error',
      // Fastify plugins and tap tests are async by contract.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // The house rules, held by a machine: one idea a file, short functions.
    files: ['{src,eval}/**/*.{ts,tsx}'],
    rules: {
      'max-lines': ['error', { max: 150, skipComments: true, skipBlankLines: true }],
      'max-lines-per-function': ['error', { max: 40, skipComments: true, skipBlankLines: true }],
      'max-params': ['error', 3],
    },
  },
  {
    // What a session has is unchecked: an object with a field `toString` makes `String`, templates and `join` throw.
    files: ['src/{agents,extract,files,ingest,plan,prompt,recall,redact,session,summary,tokens,use-cases}/**/*.ts'],
    rules: { '@typescript-eslint/no-base-to-string': ['error', { checkUnknown: true }] },
  },
  {
    // An agent imports no other one: what several share is in `apis/` (what clients write into the messages of an API) or `shared/`.
    files: ['src/agents/*/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: String.raw`^\.\./(?!apis/|shared/)[\w-]+/`,
              message: 'Share it in src/agents/apis/ or src/agents/shared/.',
            },
          ],
        },
      ],
    },
  },
  {
    // Patterns take linear time for any text, also if nothing matches: a run that no match follows is read once from its
    // start, `/(?<!a)a+b/`, and two quantifiers in a row never accept the same character.
    files: ['{src,eval,examples,scripts,bench}/**/*.{ts,tsx,js,mjs}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['bench/**/*.ts', 'examples/**/*.ts', 'scripts/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
)
