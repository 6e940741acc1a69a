#!/usr/bin/env node
import { homedir } from 'node:os'
import { runCommandLine } from './command-line.ts'
import { EXIT } from './exit.ts'
import { ownCommand } from './own-command.ts'

const { argv, env, stdin, stdout, stderr } = process

// A reader such as `head` that has seen enough is no error.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : EXIT.failed))

const command = ownCommand(argv, env)
const io = { env, home: homedir(), folder: process.cwd(), command, stdin, stdout, stderr }
void runCommandLine(argv.slice(2), io).then((code) => {
  // A service that `serve` has started sets its own.
  if (code !== 0) process.exitCode = code
})
