process.env.RUNS ??= '24'
await import('./made-codes.test.ts')
