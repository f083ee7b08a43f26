process.env.RUNS ??= '6'
await import('./senders.test.ts')
