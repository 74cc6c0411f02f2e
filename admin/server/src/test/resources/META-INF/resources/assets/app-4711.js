// a script
