process.env.RUNS ??= '4'
await import('./payout-lives.test.ts')
