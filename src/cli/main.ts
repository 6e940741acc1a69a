#!/usr/bin/env node
import { homedir } from 'node:os'
import { runCommandLine } from './command-line.ts'
import { EXIT } from './exit.ts'
import { ownCommand } from './own-command.ts'

const { argv, env, execArgv, stdin, stdout, stderr } = process

// A reader such as `head` that has seen enough is no error.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT.failed))
// Without a reader of its messages, a command does its work all the same, and its exit code says how it ended.
stderr.on('error', () => undefined)

const command = ownCommand(argv, env)
const self = [process.execPath, ...execArgv, ...argv.slice(1, 2)]
const io = { env, home: homedir(), folder: process.cwd(), command, self, stdin, stdout, stderr }
// Whatever goes wrong in a hook, its agent goes on as it would without it.
const isHook = argv[2] === 'hook'
if (isHook)
  process.on('uncaughtException', (error) => {
    stderr.write(`precis: ${error.message.split('\n')[0] ?? ''}\n`)
    process.exit(0)
  })

void runCommandLine(argv.slice(2), io).then((code) => {
  // What takes longer than a hook may take is still running.
  if (isHook) process.exit(0)
  // A service that `serve` has started sets its own.
  if (code !== 0) process.exitCode = code
})
