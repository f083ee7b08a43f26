process.env.RUNS ??= '20'
await import('./bulk-lives.test.ts')
