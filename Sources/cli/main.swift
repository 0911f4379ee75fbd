print("syrinx")
