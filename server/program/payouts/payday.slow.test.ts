process.env.RUNS ??= '2'
await import('./payday.test.ts')
