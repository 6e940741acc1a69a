import { startService } from './start-service.ts'

const HELP = `node dist/server.js (or npm start)

Starts the service of Précis. It takes no options: environment variables have its settings. Those that most users need:

  HOST, PORT          the address to listen on (default: 127.0.0.1, 8080)
  PRECIS_TOKENS       the passwords of clients, separated by commas (default: none, whoever reaches the port can use it)
  OPENAI_API_KEY, OPENAI_BASE_URL, PRECIS_MODEL
                      the model server and the model (default: the embedded summarizer)
  LOG_LEVEL           info, warn or another level of the log (default: info)

docs/configuration.md has all of them. The command \`precis serve\` has options for the address: precis serve --help
`

const args = process.argv.slice(2)
const unknown = args.find((arg) => arg !== '--help' && arg !== '-h')
if (unknown !== undefined) {
  process.stderr.write(
    `precis: the service does not know the argument "${unknown}": environment variables have its settings, such as ` +
      'PORT=8081. Try --help, or the command `precis serve`, which has options.\n',
  )
  process.exitCode = 2
} else if (args.length > 0) process.stdout.write(HELP)
else await startService({ HOST: 'HOST', PORT: 'PORT' })
