/** A command that fails in a generated session. */
export interface FailingCommand {
  command: string
  /** The last line before the exit note, which gives the reason. */
  error: string
  exitCode: number
}

/** Distinct commands of different tools, each with the output line that gives the reason of its failure. */
export const FAILING_COMMANDS: readonly FailingCommand[] = [
  {
    command: 'npx vitest run packages/billing/test/invoice-period.test.ts',
    error: "AssertionError: expected '2026-10' to be '2026-11'",
    exitCode: 1,
  },
  {
    command: 'npm run typecheck --workspace packages/ledger',
    error: "packages/ledger/src/sum-lines.ts(41,17): error TS2345: Argument of type 'string' is not assignable.",
    exitCode: 2,
  },
  {
    command: 'cargo test --manifest-path services/pdf/Cargo.toml vat_number',
    error: "thread 'vat_number_swiss' panicked at services/pdf/src/address.rs:88:9: no VAT number in footer",
    exitCode: 101,
  },
  {
    command: 'docker compose -f deploy/compose.nightly.yml up --wait nightly-job',
    error:
      'Error response from daemon: driver failed programming external connectivity: port 5433 is already allocated',
    exitCode: 1,
  },
  {
    command: 'node --cpu-prof services/nightly/dist/run.js --day 2026-10-31',
    error: 'error: remaining connection slots are reserved for roles with the SUPERUSER attribute',
    exitCode: 1,
  },
  {
    command: "psql staging -c 'select * from customers where name ilike unaccent($$Müller$$)'",
    error: 'ERROR:  function unaccent(unknown) does not exist',
    exitCode: 1,
  },
  {
    command: 'cd services/webhooks && go test ./delivery -run TestSlowReceiver -count=5',
    error: '--- FAIL: TestSlowReceiver (2.31s): delivered 2 times, want 1',
    exitCode: 1,
  },
  {
    command: 'TZ=America/Los_Angeles npx vitest run packages/dashboard/test/day-range.test.ts',
    error: 'AssertionError: expected [] to have a length of 24 but got +0',
    exitCode: 1,
  },
  {
    command: 'npx playwright test e2e/settings-tabs.spec.ts --project=firefox',
    error: "TimeoutError: locator.click: Timeout 30000ms exceeded waiting for getByRole('tab', { name: 'Billing' })",
    exitCode: 1,
  },
  {
    command: 'npm run migrate -- --only 0147_audit_log --dry-run',
    error: 'error: canceling statement due to lock timeout on relation "orders"',
    exitCode: 1,
  },
  {
    command: 'python3 scripts/import_csv.py fixtures/excel-bom.csv --strict',
    error: "KeyError: '\\ufeffcustomer_id'",
    exitCode: 1,
  },
  {
    command: 'node --max-old-space-size=256 packages/worker/dist/soak.js --hours 1',
    error: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    exitCode: 134,
  },
  {
    command: 'k6 run load/public-api.js --vus 20 --duration 90s',
    error: 'ERRO[0091] thresholds on metrics http_req_failed have been crossed',
    exitCode: 99,
  },
  {
    command: 'kubectl --context staging rollout status deployment/checkout --timeout=120s',
    error: 'error: deployment "checkout" exceeded its progress deadline',
    exitCode: 1,
  },
  {
    command: 'npx eslint packages/flags/src --max-warnings 0',
    error: "packages/flags/src/registry.ts:212:7  error  'legacyCheckout' is assigned a value but never used",
    exitCode: 1,
  },
]

/** Commands that succeed, run between the failing ones. */
export const PASSING_COMMANDS: readonly string[] = [
  'git status --short',
  'git diff --stat',
  'npm run build --workspaces --if-present',
  'npx vitest run packages/billing',
  'rg -n "periodEnd" packages services --type ts',
  'git log --oneline -20',
  'docker compose ps',
  'find packages -name "*.sql" | sort',
  'npm ls --depth 0',
  'curl -s localhost:8080/healthz',
]
