process.env.RUNS ??= '40'
await import('./lead-pay-lives.test.ts')
