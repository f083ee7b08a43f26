process.env.RUNS ??= '12'
await import('./announcement-lives.test.ts')
