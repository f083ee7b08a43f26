process.env.RUNS ??= '40'
await import('./case-lives.test.ts')
