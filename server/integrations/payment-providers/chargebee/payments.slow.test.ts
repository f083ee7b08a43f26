process.env.RUNS ??= '25'
await import('./payments.test.ts')
