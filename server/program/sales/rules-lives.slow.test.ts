process.env.RUNS ??= '200'
await import('./rules-lives.test.ts')
