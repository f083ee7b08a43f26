process.env.RUNS ??= '80'
await import('./caps-lives.test.ts')
