/** Given names, none of which begins with another: a longer one is never taken for a shorter one. */
export const given_names: readonly string[] = `
  Adela Albin Anselm Bettina Bodo Brigid Casimir Cosima Dagny Desmond Edda Egon Elspeth Emeric
  Fenna Florian Gerda Gideon Greta Hanno Hedwig Henrik Idunn Ignaz Ilsabet Jarmila Jorun Judoc
  Kasper Katrin Lambert Leonie Ludo Magda Malte Merete Mirko Nadia Niklas Norbert Odile Oswin
  Ottilie Paulin Petra Quirin Ragna Roland Rufina Sabine Sigurd Solveig Tamsin Tobias Ulrika Urban
  Veit Verena Wanda Wendel Yorick Yvette Zdenka Zeno
`
  .trim()
  .split(/\s+/);

/** Family names, made up or rare. */
export const family_names: readonly string[] = `
  Ackerfield Barleymow Birkenhag Brandreth Calloway Coppersmith Crakehill Dellamere Drosselby
  Dunmarrow Eastlake Elderbrook Farthingale Fennimore Flaxman Galloper Garnsworth Gimmelholt
  Gossamer Hagthorn Harkaway Haverstock Hollinger Inchbald Ironmonger Jessamy Kestrelby Kirkholm
  Lampwright Larkspurn Lindqvist Lowbridge Mallender Marchbank Merrowdale Millichap Mossgiel Nettleby
  Northcliff Oakenshaw Osterley Pargeter Pennyworth Pinkerfeld Quillfeather Ravenscar Redwater
  Rookhope Saltmarsh Sandringford Scrimgeour Silverdale Sparrowhawk Stonecroft Tallowby Thistlewood
  Tidewell Trevanion Underhill Vandermeer Wainfleet Weatherby Westergaard Whistlecraft Wintergreen
  Wolvercote Yarborough Zellander
`
  .trim()
  .split(/\s+/);
