process.env.RUNS ??= '8'
await import('./voided.test.ts')
