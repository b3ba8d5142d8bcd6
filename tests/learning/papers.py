"""The documents the tests of learning read."""

MANUAL = """# PE-300 manual

## Cleaning

The wet clean of a PE-300 chamber takes 6.5 hours. It is due every 500 RF hours.

## Vacuum

The dry pump of the PE-300 is a DP-3. The DP-3 is made by Norvac in Bergen.
The dry pump is serviced every 2,000 operating hours. Arcing is seen on the RF match as spikes.
"""
MEETING = """# Meeting of 18 March 2025

## People

Mei Tanaka leads the vacuum team. The vacuum team sits in building B4.
Jonas Weber is the quality manager of the fab.

## A77

Yield of product A77 fell to 84.1 % in week 11 of 2025. Lot L25-0317 was processed on ETCH-03.
"""
SPARES = """# Spare parts

## Prices

The helium regulator valve PN-7781 costs 2,150 EUR. It is stored in cabinet C12.
"""
