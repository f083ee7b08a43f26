process.env.RUNS ??= '12'
await import('./payments.test.ts')
