process.env.RUNS ??= '4'
await import('./payout.model.test.ts')
