process.env.RUNS ??= '80'
await import('./rules-lives.test.ts')
