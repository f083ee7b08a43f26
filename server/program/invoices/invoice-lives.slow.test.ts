process.env.RUNS ??= '40'
await import('./invoice-lives.test.ts')
