process.env.RUNS ??= '150'
await import('./lead-pay-lives.test.ts')
